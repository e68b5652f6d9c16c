/* SPDX-License-Identifier: Apache-2.0 */
/* Built with a runtime that has PETITE_LOG, and with the port of the host. */
#include <petite/executor.h>

#include "check.h"
#include "model.h"

TEST(messages_reach_the_port)
{
	actions[2].status = PETITE_ERR_KERNEL;
	CHECK(petite_run(&plan) == PETITE_ERR_KERNEL);
}

TESTS(ENTRY(messages_reach_the_port))
