package notifier

import (
	"context"
	"io"
	"net/http"
	"strings"

	"rollcall/models"
)

// into lets a function take the place of the network.
type into func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f into) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// fill sends a delivery into the request bin of its account, which the service itself hosts. The request is made, signed, judged
// and tried again as every other one is; it only never reaches a network, so no rule about addresses is weakened. An error
// means that the bin could not keep it: that is no attempt.
func (s *Sender) fill(ctx context.Context, d *models.QueuedDelivery, out Delivery) (Attempt, error) {
	var failed error
	bin := into(func(r *http.Request) (*http.Response, error) {
		got := &models.BinRequest{WebhookID: d.WebhookID, DeliveryID: d.ID, At: s.o.Now(), Headers: r.Header}
		status := d.Bin.Status()
		if status != 0 {
			got.Status = &status
		}
		if failed = s.o.Store.KeepBinRequest(r.Context(), got); failed != nil {
			return nil, failed
		}
		if status == 0 {
			<-r.Context().Done()
			return nil, context.Cause(r.Context())
		}
		said := io.NopCloser(strings.NewReader("rollcall's request bin answers " + http.StatusText(status) + "\n"))
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: said, Request: r}, nil
	})
	a, err := s.o.Client.attempt(ctx, out, bin)
	if failed != nil {
		return Attempt{}, failed
	}
	return a, err
}

// Verify returns whether a request was signed with the secret of its account, and with the next one during a rotation. What
// arrived before there was a secret is no mark against it: only the service fills a bin.
func (r Registrar) Verify(w *models.WebhookSecret, got *models.BinRequest) ([]models.Verification, error) {
	var all []models.Verification
	for i, sealed := range [][]byte{w.Current, w.Next} {
		next := i == 1
		if len(sealed) == 0 || next && w.RotatingSince != nil && got.At.Before(*w.RotatingSince) {
			continue
		}
		secret, err := r.Seal.Open(sealed, w.AccountID)
		if err != nil {
			return nil, err
		}
		v := models.Verification{
			Next:     next,
			Service:  VerifyService(got.Headers, got.Body, secret) == nil,
			Standard: VerifyStandard(got.Headers, got.Body, secret, got.At) == nil,
		}
		v.Earlier = !v.Service && !v.Standard && !next && got.At.Before(w.CreatedAt)
		all = append(all, v)
	}
	return all, nil
}
