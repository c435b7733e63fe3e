/** Problem types, and the only code that renders them. */
@MayUse({})
@NullMarked
package dev.purser.problem;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
