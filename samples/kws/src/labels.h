/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The model's classes, in the order of its outputs (train/vocabulary.py).
 */
#ifndef KWS_LABELS_H
#define KWS_LABELS_H

/** Number of classes. */
#define KWS_LABELS 12
/** Classes below this are no keywords: silence, and words that are not of the vocabulary. */
#define KWS_FIRST_KEYWORD 2

extern const char *const kws_labels[KWS_LABELS];

#endif /* KWS_LABELS_H */
