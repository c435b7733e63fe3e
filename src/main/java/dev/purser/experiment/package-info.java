/**
 * Experiments: comparisons of local randomizers on generated data, or on rows that the request brings. Nothing here
 * reaches a dataset. They are a command and no operation of the service.
 */
@MayUse({"json", "local", "noise", "privacy", "http"})
@NullMarked
package dev.purser.experiment;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
