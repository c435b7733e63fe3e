/** Who is asking: bearer keys and the principal behind them. */
@MayUse({"problem"})
@NullMarked
package dev.purser.access;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
