/**
 * Experiments: comparisons of local randomizers on generated data, or on rows that the request brings. Nothing here
 * reaches a dataset. They run as a command. The service has no operation for them.
 */
@MayUse({"json", "local", "noise", "privacy", "http"})
@NullMarked
package dev.purser.experiment;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
