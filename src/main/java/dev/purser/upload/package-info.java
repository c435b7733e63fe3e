/** Takes the rows of a dataset: all of an upload, put on the grid and bounded per privacy unit, or nothing. */
@MayUse({"admission", "privacy", "json", "dataset", "rows", "access", "digest", "problem"})
@NullMarked
package dev.purser.upload;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
