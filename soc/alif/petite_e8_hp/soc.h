/* SPDX-License-Identifier: Apache-2.0 */

#ifndef PETITE_SOC_E8_HP_SOC_H
#define PETITE_SOC_E8_HP_SOC_H

#include <cmsis_core_m_defaults.h>

#endif /* PETITE_SOC_E8_HP_SOC_H */
