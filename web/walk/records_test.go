package walk

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func subscribesToHearings(t *testing.T, b *tab) {
	t.Helper()
	b.visit(shownPages(b)["case"])
	const make = `[...document.querySelectorAll("button")].find(x => x.textContent === "Make an address")`
	eval[bool](b, `[...document.querySelectorAll("details")].filter(d => d.contains(`+make+`)).map(d => d.open = true)[0]`)
	eval[bool](b, make+`.click() || true`)
	b.until(`document.querySelector(".secret code")`)
	b.accessible()
	address := eval[string](b, `document.querySelector(".secret code").textContent`)
	require.Contains(t, eval[string](b, "fetch('"+address+"').then(r => r.text())"), "BEGIN:VEVENT")

	b.do(chromedp.Reload())
	b.settled()
	require.NotContains(t, eval[string](b, "document.documentElement.innerHTML"), address, "shown once")
	const end = `[...document.querySelectorAll("button")].find(x => x.textContent === "End this address")`
	eval[bool](b, end+`.click() || true`)
	b.until(`!(` + end + `)`)
	require.GreaterOrEqual(t, eval[int](b, "fetch('"+address+"', {cache: 'reload'}).then(r => r.status)"), 400)
	b.forget() // Chromium notes the refusal that was asked for
}
