/** Who is asking: bearer keys and the principal behind them. */
@MayUse({"store", "problem"})
@NullMarked
package dev.purser.access;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
