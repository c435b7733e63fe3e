/**
 * Experiments: comparisons of local randomizers on generated data, or on rows that the request brings. Nothing here
 * reaches a dataset.
 */
@MayUse({"access", "admission", "json", "local", "noise", "privacy", "problem"})
@NullMarked
package dev.purser.experiment;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
