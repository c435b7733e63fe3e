/**
 * Rows of bounded integers in one file, column by column, with a profile of each column; and what waits and is sorted on the disk until
 * that file is made. It knows nothing of what they stand for.
 */
@MayUse({"task"})
@NullMarked
package dev.purser.rows;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
