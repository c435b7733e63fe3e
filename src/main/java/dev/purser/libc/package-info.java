/** Functions in C that Java does not offer. */
@MayUse({})
@NullMarked
package dev.purser.libc;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
