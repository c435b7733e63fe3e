/** Who is asking and what they may: bearer keys, the principals behind them, their roles and grants. */
@MayUse({"privacy", "json", "digest", "store", "problem"})
@NullMarked
package dev.purser.access;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
