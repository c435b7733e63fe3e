/**
 * The file with the rows of a dataset, column by column, and the temporary files in which rows are sorted before it is
 * written.
 */
@MayUse({"digest"})
@NullMarked
package dev.purser.rows;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
