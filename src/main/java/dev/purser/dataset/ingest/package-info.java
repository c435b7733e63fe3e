/**
 * Takes an uploaded file into a dataset's rows: parsed strictly, put on the grid and clamped exactly, bounded per privacy unit.
 * Internal to the dataset module.
 */
@NullMarked
package dev.purser.dataset.ingest;

import org.jspecify.annotations.NullMarked;
