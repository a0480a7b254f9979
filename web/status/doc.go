// Package status has the public status page: how current each county's sources are, how long deliveries wait, and what
// operators say of incidents. It has the page on which they say so, too.
//
// The status page needs no key and names nobody. Its templates are among those of package web. It may import web/page
// and models.
package status
