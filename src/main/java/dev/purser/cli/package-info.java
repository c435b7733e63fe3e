/** Commands of the jar that need no service and touch no home. */
@MayUse({"privacy", "json", "ledger", "start"})
@NullMarked
package dev.purser.cli;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
