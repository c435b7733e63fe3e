/** Exact bucket statistics over the rows, passed on only as {@link dev.purser.mechanism.Sensitive}. */
@MayUse({"privacy", "dataset", "ledger", "mechanism", "problem", "tables", "rows"})
@NullMarked
package dev.purser.engine;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
