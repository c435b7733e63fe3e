/** The command line of the jar, and the commands that need no home. */
@MayUse({"privacy", "noise", "json", "ledger", "ledger.proof", "ledger.view", "experiment", "problem", "http"})
@NullMarked
package dev.purser.cli;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
