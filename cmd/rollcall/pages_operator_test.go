package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func operates(t *testing.T, b *tab) {
	t.Helper()
	source := shownPages(b)["source"]
	b.visit(source)
	b.click(".side details summary")
	b.accessible()
	b.submit(".side details[open] form[action$='/hold'] button")
	require.Contains(t, b.text(), "The source is held")
	require.Contains(t, b.text(), "Held since")
	b.accessible()
	b.click("section[aria-labelledby=held] details.confirm summary")
	b.submit("section[aria-labelledby=held] details[open] button.danger")
	require.Contains(t, b.text(), "The source goes on")

	b.visit(source + "/quarantine")
	b.accessible()
	b.visit("/operator/jobs?state=done")
	require.Contains(t, b.text(), "feed")
	require.NotContains(t, b.text(), "No job was ever made")
	b.visit("/operator/jobs?state=waiting")
	b.accessible()
	b.visit("/settings/trail")
	require.Contains(t, b.text(), "source held")
	require.Contains(t, b.text(), "source released")
}
