/** Commands of the jar that need no service and no home folder. */
@MayUse({"privacy", "json", "ledger"})
@NullMarked
package dev.purser.cli;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
