package walk

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ageWithoutAsking leaves a booking's page open from when its source was read until five hours later, as far as its clock can tell.
func ageWithoutAsking(t *testing.T, b *tab) {
	t.Helper()
	ages := func(after time.Duration) []string {
		return eval[[]string](b, fmt.Sprintf(`(() => {
			const all = [...document.querySelectorAll("[data-age]")];
			const read = Math.max(...all.filter(e => e.dataset.age === "ago").map(e => Date.parse(e.dateTime)));
			Date.now = () => read + %d;
			document.dispatchEvent(new Event("visibilitychange"));
			return all.map(e => e.textContent);
		})()`, after.Milliseconds()))
	}
	young := ages(10 * time.Second)
	require.Contains(t, young, "just now")
	b.mu.Lock()
	asked := len(b.requests)
	b.mu.Unlock()
	old := ages(5*time.Hour + 10*time.Second)
	require.Len(t, old, len(young))
	require.Contains(t, old, "5 hours ago", "when its source was read")
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Len(t, b.requests, asked, "the words grow old by themselves")
}
