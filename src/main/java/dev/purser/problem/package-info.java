/** Problem types, and the one place that renders them. */
@MayUse({})
@NullMarked
package dev.purser.problem;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
