package walk

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func subscribesToHearings(t *testing.T, b *tab) {
	t.Helper()
	b.visit(shownPages(b)["case"])
	eval[bool](b, `document.querySelector("#calendar").open = true`)
	b.submit("#calendar form[action$='/calendar'] button")
	b.accessible()
	address := eval[string](b, `document.querySelector(".secret code").textContent`)
	require.Contains(t, eval[string](b, "fetch('"+address+"').then(r => r.text())"), "BEGIN:VEVENT")

	b.do(chromedp.Reload()) // which sends the form not again
	b.settled()
	require.NotContains(t, eval[string](b, "document.documentElement.innerHTML"), address, "shown once")
	eval[bool](b, `document.querySelector("#calendar").open = true`)
	b.submit("#calendar form[action$='/end'] button")
	require.Contains(t, b.text(), "It no longer works.")
	require.Zero(t, eval[int](b, `document.querySelectorAll("#calendar form[action$='/end']").length`))
	require.GreaterOrEqual(t, eval[int](b, "fetch('"+address+"', {cache: 'reload'}).then(r => r.status)"), 400)
	b.forget() // Chromium notes the refusal that was asked for
}
