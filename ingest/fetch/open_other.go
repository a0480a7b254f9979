//go:build !unix

package fetch

// noFollow is nothing where the system has no such flags; what was opened is looked at all the same.
const noFollow = 0
