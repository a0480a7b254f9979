package web

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// bins routes the page of the request bin, the endpoint that the service hosts for an account. It is stopped and deleted on
// its page as an endpoint.
func (s *Site) bins(r chi.Router) {
	r.Get("/settings/webhooks/bin", s.SignedIn(s.binPage))
	r.Post("/settings/webhooks/bin", s.hooking(s.createBin))
	r.Post("/settings/webhooks/bin/answer", s.hooking(s.answerBin))
	r.Post("/settings/webhooks/bin/test", s.hooking(s.testBin))
}

// binBody is what the page of the request bin shows.
type binBody struct {
	// Nil before the account has one.
	Hook     *hook
	Answers  []choice
	Requests []binRow
	Kept     int
	// The secret is being replaced, so there are two.
	Rotating bool
}

// binRow is a request that arrived.
type binRow struct {
	*models.BinRequest
	Headers []binHeader
	// Text is the body if it is text.
	Text string
	// Proofs are one a secret of the account; none where the body is not shown.
	Proofs []models.Verification
}

// binHeader is a header with one value.
type binHeader struct{ Name, Value string }

// binPage shows the page as it is opened.
func (s *Site) binPage(v *page.Visit) error { return s.showBin(v, nil) }

// showBin shows what arrived in the bin, and why something was not done.
func (s *Site) showBin(v *page.Visit, problem error) error {
	b := binBody{Kept: models.BinKept}
	h, err := s.Store.Bin(v.R.Context(), v.Account.ID)
	switch {
	case err == nil:
		if err := s.fillBin(v, h, &b); err != nil {
			return err
		}
	case models.CodeOf(err) != models.CodeNotFound:
		return err
	}
	data := page.View{Title: "Request bin", Script: "bin", Fresh: true, At: "/settings/webhooks/bin", Body: b}
	if problem != nil {
		data.Failed(problem)
	}
	return s.Page(v, "bin", data)
}

// fillBin reads what arrived in a bin.
func (s *Site) fillBin(v *page.Visit, h *models.Webhook, b *binBody) error {
	b.Hook, b.Answers = &hook{h}, binAnswers(*h.Bin)
	all, err := s.Store.BinRequests(v.R.Context(), v.Account.ID, h.ID)
	if err != nil {
		return err
	}
	secret, err := s.Store.WebhookSecret(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	b.Rotating = secret.Next != nil
	for _, r := range all {
		row := binRow{BinRequest: r}
		for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
			row.Headers = append(row.Headers, binHeader{name, strings.Join(r.Headers[name], ", ")})
		}
		if utf8.Valid(r.Body) {
			row.Text = string(r.Body)
		}
		if !r.Withheld {
			if row.Proofs, err = s.Endpoints.Verify(secret, r); err != nil {
				return err
			}
		}
		b.Requests = append(b.Requests, row)
	}
	return nil
}

// binAnswers are the answers of a bin to choose from.
func binAnswers(chosen models.BinAnswer) []choice {
	all := []choice{
		{Word: string(models.BinTaken), Says: words.T("200: delivered")},
		{Word: string(models.BinBroken), Says: words.T("500: retried")},
		{Word: string(models.BinGone), Says: words.T("410: retried; after the last attempt the endpoint is disabled")},
		{Word: string(models.BinSlow), Says: words.T("No answer within 5 seconds: retried")},
	}
	for i := range all {
		all[i].Chosen = all[i].Word == string(chosen)
	}
	return all
}

// orBin shows an error that the reader can mend on the page of the bin.
func (s *Site) orBin(v *page.Visit, err error) error {
	if page.Mendable(err) {
		return s.showBin(v, err)
	}
	return err
}

// createBin makes the request bin of the account, which hears of all kinds of events.
func (s *Site) createBin(v *page.Visit) error {
	answer := models.BinTaken
	n := &models.NewWebhook{Events: models.EventKinds(), Bin: &answer}
	if _, err := s.Store.CreateWebhook(v.R.Context(), v.Account.ID, n, s.Endpoints.NewSecret(v.Account.ID)); err != nil {
		return s.orBin(v, err)
	}
	return s.afterBin(v, "request bin created", "", "bin-created")
}

// answerBin chooses how the bin answers.
func (s *Site) answerBin(v *page.Visit) error {
	answer, err := models.ParseBinAnswer(v.R.PostFormValue("answer"))
	if err != nil {
		return s.orBin(v, err)
	}
	h, err := s.Store.Bin(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	if _, err := s.Store.UpdateWebhook(v.R.Context(), v.Account.ID, h.ID, models.WebhookChange{Bin: &answer}); err != nil {
		return err
	}
	says := "no answer"
	if status := answer.Status(); status != 0 {
		says = strconv.Itoa(status)
	}
	return s.afterBin(v, "request bin changed", says, "bin-answers")
}

// testBin sends a test to the bin.
func (s *Site) testBin(v *page.Visit) error {
	h, err := s.Store.Bin(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	if _, err := s.Store.CreateTestDelivery(v.R.Context(), v.Account.ID, h.ID, s.Endpoints.TestBody); err != nil {
		return s.orBin(v, err)
	}
	return s.afterBin(v, "webhook tested", "request bin", "bin-tested")
}

// afterBin writes a line in the trail and leads back to the page of the bin.
func (s *Site) afterBin(v *page.Visit, action, about, said string) error {
	if err := s.Trail(v, action, about); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/webhooks/bin?done="+said)
}

// StatusText returns an HTTP status with its words.
func (r binRow) StatusText() string {
	if r.Status == nil {
		return "no answer"
	}
	return http.StatusText(*r.Status)
}
