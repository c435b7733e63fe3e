/** SHA-256, the only digest of the service, and SipHash, which recognizes rows. */
@MayUse({})
@NullMarked
package dev.purser.digest;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
