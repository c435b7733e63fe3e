/** Decides whether a privacy event still fits a limit, and what it charges. Pure functions, plain Java. */
@MayUse({"privacy"})
@NullMarked
package dev.purser.accounting;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
