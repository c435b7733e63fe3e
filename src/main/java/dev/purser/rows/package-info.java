/**
 * The file in which the rows of a dataset lie, column by column, and the files on which rows are kept and sorted until
 * it is written.
 */
@MayUse({"digest"})
@NullMarked
package dev.purser.rows;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
