/**
 * Experiments: comparisons of local randomizers on generated data, or on rows that the request brings. Nothing here
 * reaches a dataset.
 */
@MayUse({"access", "json", "local", "noise", "privacy", "problem", "http"})
@NullMarked
package dev.purser.experiment;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
