/** The one hash function without a key. */
@MayUse({})
@NullMarked
package dev.purser.digest;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
