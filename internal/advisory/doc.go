// Package advisory is tests alone: it tries .ci/vulnerabilities, which asks a public database that many networks do not
// reach, on a small database of its own.
package advisory
