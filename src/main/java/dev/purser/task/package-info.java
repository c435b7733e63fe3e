/** Work on threads of its own. */
@MayUse({})
@NullMarked
package dev.purser.task;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
