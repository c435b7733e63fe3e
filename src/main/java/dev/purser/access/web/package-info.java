/** Keys over HTTP: made, listed and revoked by the administrator, looked at by their holders. */
@NullMarked
package dev.purser.access.web;

import org.jspecify.annotations.NullMarked;
