/** Keys over HTTP: created, listed and revoked by the administrator, and shown to their holders. */
@NullMarked
package dev.purser.access.web;

import org.jspecify.annotations.NullMarked;
