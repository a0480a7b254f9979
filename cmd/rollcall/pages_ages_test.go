package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// ageWithoutAsking leaves a booking's page open for five hours, as far as its clock can tell.
func ageWithoutAsking(t *testing.T, b *tab) {
	t.Helper()
	ages := func() []string {
		return eval[[]string](b, `[...document.querySelectorAll("[data-age]")].map(e => e.textContent)`)
	}
	young := ages()
	require.Contains(t, young, "just now")
	b.mu.Lock()
	asked := len(b.requests)
	b.mu.Unlock()
	eval[bool](b, `(() => { const now = Date.now; Date.now = () => now() + 5 * 3600e3; })() || document.dispatchEvent(new Event("visibilitychange"))`)
	old := ages()
	require.Len(t, old, len(young))
	require.Contains(t, old, "5 hours ago", "when its source was read")
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Len(t, b.requests, asked, "the words grow old by themselves")
}
