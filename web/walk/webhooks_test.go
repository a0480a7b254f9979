package walk

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

func registersAWebhook(t *testing.T, w *walk) {
	t.Helper()
	w.visit("/settings/webhooks")
	w.write("#url", "https://127.0.0.2/")
	w.press(kb.Enter, `document.querySelector("[role=alert]")`)
	require.Contains(t, w.text(), "not public", "an address of this machine that is not allowed is refused in words")
	w.forget() // Chromium notes the status 422 of the page itself
	eval[string](w.tab, `document.querySelector("#url").value = ""`)
	w.write("#url", w.hookURL)
	w.press(kb.Enter, `location.pathname.startsWith("/settings/webhooks/wh_")`)
	require.Contains(t, w.text(), "The endpoint was added")
	require.Contains(t, w.text(), evilPath)
	w.soundly()

	w.tabTo("form[action$='/test'] button")
	w.press(kb.Enter, `location.pathname.startsWith("/deliveries/") && document.body.innerText.includes("Attempt 1 succeeded")`)
	require.Contains(t, w.text(), "EXAMPLE, TEST DELIVERY")
	w.soundly()

	w.visit("/settings/webhooks/secret")
	w.tabTo("form[action='/settings/webhooks/secret'] button")
	w.press(kb.Enter, `document.querySelector("#secret")`)
	w.accessible()
	w.secret = eval[string](w.tab, `document.querySelector("#secret").textContent`)
	require.Equal(t, "/settings/webhooks/secret", w.path())
	sent := w.letters.last(t)
	require.Equal(t, "1", sent.header.Get("X-Service-Test"))
	sent.signedWith(t, "X-Service-Signature", w.secret)
	w.visit("/settings/trail")
	require.Contains(t, w.text(), "webhook secret shown")
}

func sendsATimeAgain(t *testing.T, w *walk) {
	t.Helper()
	w.visit(w.hook())
	before := w.letters.count()
	w.tabTo("[name=delivered]")
	w.do(chromedp.KeyEvent(" "))
	w.tabTo("form[action$='/replay#replay'] button")
	w.press(kb.Enter, `document.querySelector("[name=sure]")`)
	require.Contains(t, w.text(), "would be sent again")
	w.until(`document.activeElement.getAttribute("role") === "status" && document.activeElement.getBoundingClientRect().top < innerHeight`)
	counted := eval[int](w.tab, `Number(document.querySelector("[name=sure]").value)`)
	require.Positive(t, counted)
	require.Equal(t, before, w.letters.count(), "counting sends nothing")
	w.soundly()
	w.photographed("webhook-counted")
	w.tabTo("[name=sure]")
	w.press(kb.Enter, `document.body.innerText.includes("They are being sent again")`)
	w.until(`[...document.querySelectorAll("[data-delivery]")].every(e => /delivered.*\b([2-9]|\d\d) attempts/s.test(e.innerText))`)
	require.Equal(t, before+counted, w.letters.count())
}

func replacesTheSecret(t *testing.T, w *walk) {
	t.Helper()
	hook := w.hook()
	test := func() letter {
		w.visit(hook)
		w.click("form[action$='/test'] button")
		w.until(`location.pathname.startsWith("/deliveries/") && document.body.innerText.includes("Attempt 1 succeeded")`)
		return w.letters.last(t)
	}
	confirm := func(form, until string) {
		w.tabTo("details.confirm:has([action$='/" + form + "']) summary")
		w.do(chromedp.KeyEvent(kb.Enter))
		w.accessible()
		w.tabTo("[action$='/" + form + "'] button:not([type=button])")
		w.press(kb.Enter, until)
	}
	w.visit("/settings/webhooks/secret")
	confirm("rotate", `document.querySelector("#secret-next")`)
	next := eval[string](w.tab, `document.querySelector("#secret-next").textContent`)
	require.Equal(t, w.secret, eval[string](w.tab, `document.querySelector("#secret").textContent`))
	w.accessible()
	both := test()
	both.signedWith(t, "X-Service-Signature", w.secret)
	both.signedWith(t, "X-Service-Signature-Next", next)

	w.visit("/settings/webhooks/secret")
	require.NotContains(t, eval[string](w.tab, "document.documentElement.innerHTML"), next, "shown only to whoever asks")
	w.soundly()
	confirm("finish", `document.body.innerText.includes("Rotation finished")`)
	after := test()
	after.signedWith(t, "X-Service-Signature", next)
	require.Empty(t, after.header.Get("X-Service-Signature-Next"))

	t.Log("the demo's own receiver follows its account's secret")
	w.visit("/settings/webhooks")
	eval[bool](w.tab, `[...document.querySelectorAll("main a[href*='/wh_']")].find(a => a.textContent.endsWith("/demo")).click() || true`)
	w.until(`location.pathname.startsWith("/settings/webhooks/wh_")`)
	w.settled()
	w.click("form[action$='/test'] button")
	w.until(`location.pathname.startsWith("/deliveries/") && document.body.innerText.includes("Attempt 1 succeeded")`)
}

func stopsAWebhook(t *testing.T, w *walk) {
	t.Helper()
	hook := w.hook()
	w.visit(hook)
	w.click("details.confirm:has([action$='/pause']) summary")
	w.submit("[action$='/pause'] button")
	require.Contains(t, w.text(), "Nothing is sent to it until you resume it")
	require.True(t, eval[bool](w.tab, `document.querySelector("form[action$='/test'] button").disabled`))
	w.soundly()
	w.submit("[action$='/resume'] button")

	t.Log("a port where nobody listens")
	eval[string](w.tab, `document.querySelector("#url").value = "https://127.0.0.1:1/"`)
	w.submit("section[aria-labelledby=change] button")
	w.click("form[action$='/test'] button")
	w.until(`location.pathname.startsWith("/deliveries/") && document.body.innerText.includes("Attempt 1 failed")`)
	require.Contains(t, w.text(), "The next attempt is due")
	w.soundly()
	w.visit(hook)
	require.NotContains(t, w.text(), "Every attempt has failed since", "a test says nothing of the endpoint's health")
	w.happens(4000)
	w.until(`[...document.querySelectorAll("[data-delivery]")].some(e => e.textContent.includes("Moonsail") && e.textContent.includes("will be tried again"))`)
	w.visit(hook)
	require.Contains(t, w.text(), "Every attempt has failed since")
	w.soundly()
	w.tabTo("details.confirm:has([action$='/delete']) summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.tabTo("[action$='/delete'] button.danger")
	w.press(kb.Enter, `location.pathname === "/settings/webhooks"`)
	require.NotContains(t, w.text(), "127.0.0.1:1/")
}
