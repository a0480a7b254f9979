package walk

import (
	"strconv"
	"testing"
)

// sharesAStream opens more pages of live activity than a browser makes connections to a host, seven in all with the first.
func sharesAStream(t *testing.T, w *walk) {
	t.Helper()
	const live = `document.querySelector("#connection").textContent === "live"`
	w.visit("/activity")
	w.until(live)
	var others []*tab
	for range 6 {
		other := w.beside()
		other.visit("/activity")
		other.until(live)
		others = append(others, other)
	}
	const events = `document.querySelectorAll("[data-event]").length`
	shown := eval[int](w.tab, events)
	w.happens(3500)
	for _, other := range others {
		other.until(events + ` === ` + strconv.Itoa(shown+1))
	}

	t.Log("another tab takes over from the one that followed")
	w.visit("/counties")
	w.happens(3600)
	for _, other := range others {
		other.until(events + ` === ` + strconv.Itoa(shown+2))
		other.clean()
		other.close()
	}
}
