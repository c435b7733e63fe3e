/** Decides whether a privacy event fits a limit, and computes its charge. Pure functions, plain Java. */
@MayUse({"privacy"})
@NullMarked
package dev.purser.accounting;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
