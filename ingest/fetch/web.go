package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// listPage bounds one page of a bucket's list, in bytes; a thousand names of a thousand bytes fit many times.
const listPage = 16 << 20

// WebTrust says which certificates are trusted besides those of the machine; the zero value trusts no others.
type WebTrust struct{ Roots *x509.CertPool }

// transport is what asks a bucket: TLS verified, no proxy, and no wait without an end.
func (w WebTrust) transport() *http.Transport {
	return &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSClientConfig:       &tls.Config{RootCAs: w.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   30 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		IdleConnTimeout:       time.Minute,
		ForceAttemptHTTP2:     true,
	}
}

// listBounds cuts the pages of a bucket's list where no honest page is longer. Objects have bounds of their
// own.
type listBounds struct{ http.RoundTripper }

// RoundTrip sends a request, and bounds the answer to one for a list.
func (l listBounds) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(req)
	if err == nil && req.URL.Query().Has("list-type") {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, listPage), resp.Body}
	}
	return resp, err
}

// bounded reads a list, and returns ErrIncomplete for one that has more bytes than any honest one.
func bounded(body io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, listPage+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	if len(text) > listPage {
		return nil, fmt.Errorf("%w: a page of the list has more than %d bytes", ErrIncomplete, listPage)
	}
	return text, nil
}

// withoutAddress removes the address from a client's error, because a signature may stand in it.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
