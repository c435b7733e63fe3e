/** SHA-256, the one digest of the service. */
@MayUse({})
@NullMarked
package dev.purser.digest;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
