package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Client sends requests; *http.Client is one. Package ingest wraps it in one that waits for the host's turn.
type Client interface {
	Do(*http.Request) (*http.Response, error)
}

// ErrRefused is the error for a source that wants a human: a captcha or a login. It is never worked around:
// the source becomes refused, which operators see, and its schedule asks it less often.
var ErrRefused = errors.New("the source blocks automated requests")

// ErrIncomplete is the error for a fetch that a limit or a fault ended before its last page. Nothing of it is
// applied.
var ErrIncomplete = errors.New("the source could not be read to its end")

// Bounds limit one fetch.
type Bounds struct {
	// Bytes is the size of all answers together.
	Bytes int64
	// Pages is the number of requests of all steps.
	Pages int
	// Time is how long all of it may take.
	Time time.Duration
}

// NewClient returns a client for one source: its own cookies, TLS verified, public addresses alone, redirects only among
// allowed hosts, at most five, and none that leaves TLS.
func (s *Spec) NewClient() (*http.Client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, fmt.Errorf("make cookie jar: %w", err)
	}
	allowed := s.allowed()
	return &http.Client{
		Timeout:   90 * time.Second,
		Jar:       jar,
		Transport: s.transport(),
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) >= 5 {
				return errors.New("too many redirects")
			}
			if !slices.Contains(allowed, req.URL.Host) {
				return fmt.Errorf("redirect to host %s, which is not allowed", req.URL.Host)
			}
			if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
				return fmt.Errorf("redirect from https to %s, which is not encrypted", req.URL.Scheme)
			}
			return nil
		},
	}, nil
}

// allowed are the hosts that may be asked, with their ports.
func (s *Spec) allowed() []string {
	hosts := slices.Clone(s.Hosts)
	for i := range s.Steps {
		if u, err := url.Parse(fill(s.Steps[i].URL, s.values(time.Time{}))); err == nil {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

// session is one fetch. It belongs to one goroutine, and one request is under way at a time.
type session struct {
	spec   *Spec
	client Client
	// bounds are the limits of the fetch.
	bounds Bounds
	// dir is where documents are put: in files, not in memory.
	dir string
	// at is the beginning of the run; dates in addresses are of this instant.
	at time.Time
	// values are what captures found, by name, for the steps after them.
	values map[string]string
	// lists are what captures with every collected.
	lists map[string]*list
	// allowed are the hosts that the source document names; a link on a page leads nowhere else.
	allowed []string
	// beside puts what was listed to the answer, in a step with for.
	beside func(answer []byte) ([]byte, error)
	found  Found
	// pages counts the requests until now.
	pages int
	// bytes counts what was received until now.
	bytes int64
	// wait is done when the next request may be sent: the politeness that the source document asks for.
	wait   <-chan time.Time
	caller Caller
}

// Found is what a transport brought, and what it can say of whether that is everything.
type Found struct {
	Documents []Document
	Evidence
}

// Evidence is what a transport knows of the completeness of what it brought. It is stored with the run's
// report, because the documents do not show it when they are read again.
type Evidence struct {
	// Asked reports whether they are answers of this moment, and not files.
	Asked bool `json:"asked,omitempty"`
	// Open reports whether one of them may be cut off, because only the end of a connection ended it.
	Open bool `json:"open,omitempty"`
	// Rows is how many rows were counted on pages; 0 if they were not.
	Rows int `json:"rows,omitempty"`
	// Moving reports whether rows could move unseen from one page to another while they were read.
	Moving bool `json:"moving,omitempty"`
	// Doubts say why it may not be everything.
	Doubts []string `json:"doubts,omitempty"`
}

// doubt notes a reason once.
func (x *session) doubt(reason string) {
	if !slices.Contains(x.found.Doubts, reason) {
		x.found.Doubts = append(x.found.Doubts, reason)
	}
}

// Get fetches all documents into dir. at is the instant that they speak of. The error says which step failed,
// and whether the source refused (ErrRefused), could not be read to its end (ErrIncomplete), or could not be
// reached.
func (s *Spec) Get(ctx context.Context, client Client, bounds Bounds, dir string, at time.Time, caller Caller) (*Found, error) {
	ctx, cancel := context.WithTimeout(ctx, bounds.Time)
	defer cancel()
	x := &session{
		spec: s, client: client, bounds: bounds, dir: dir, at: at, values: s.values(at), lists: map[string]*list{},
		allowed: s.allowed(), caller: caller, found: Found{Evidence: Evidence{Asked: true}},
	}
	for i := range s.Steps {
		if err := x.step(ctx, &s.Steps[i]); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return &x.found, nil
}

// errMissing is the answer 404.
var errMissing = errors.New("the address was not found (status 404)")

// ask sends one request and takes the captures out of its answer. An empty address is that of the step.
func (x *session) ask(ctx context.Context, st *Step, address string) ([]byte, error) {
	if x.pages++; x.pages > x.bounds.Pages {
		return nil, fmt.Errorf("%w: more than %d pages", ErrIncomplete, x.bounds.Pages)
	}
	if err := x.pause(ctx); err != nil {
		return nil, err
	}
	req, err := x.request(ctx, st, address)
	if err != nil {
		return nil, err
	}
	resp, err := x.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", req.URL.Host, withoutAddress(err))
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, x.bounds.Bytes-x.bytes+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	if x.bytes += int64(len(body)); x.bytes > x.bounds.Bytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrIncomplete, x.bounds.Bytes)
	}
	if err := x.judge(resp, body); err != nil {
		return nil, err
	}
	x.found.Open = x.found.Open || st.Keep && !ended(resp)
	return body, x.capture(st, req.URL, resp, body)
}

// ended reports whether an answer that was read shows its end: by its length, its last chunk, the end of its
// stream or the checksum of what it was packed in. Had that been missing, reading would have failed.
func ended(resp *http.Response) bool {
	return resp.ContentLength >= 0 || len(resp.TransferEncoding) > 0 || resp.ProtoMajor > 1 || resp.Uncompressed
}

// pause waits as long as politeness asks; the first request goes at once.
func (x *session) pause(ctx context.Context) error {
	if x.wait != nil {
		select {
		case <-x.wait:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ErrIncomplete, ctx.Err())
		}
	}
	gap := x.spec.Pause
	if gap == 0 {
		gap = time.Second
	}
	x.wait = time.After(gap)
	return nil
}

// request makes the request of a step with captured values filled in; an address that is passed replaces the
// step's.
func (x *session) request(ctx context.Context, st *Step, address string) (*http.Request, error) {
	if address == "" {
		address = fill(st.URL, x.values)
	}
	method, kind := st.Method, ""
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	switch {
	case st.Body != "":
		body, kind = strings.NewReader(fill(st.Body, x.values)), "application/json"
	case len(st.Form) > 0:
		form := url.Values{}
		for k, v := range st.Form {
			form.Set(k, fill(v, x.values))
		}
		body, kind = strings.NewReader(form.Encode()), "application/x-www-form-urlencoded"
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", withoutAddress(err))
	}
	if !slices.Contains(x.allowed, req.URL.Host) {
		return nil, fmt.Errorf("host %s is not allowed", req.URL.Host)
	}
	req.Header.Set("User-Agent", UserAgent)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for k, v := range st.Headers {
		req.Header.Set(k, fill(v, x.values))
	}
	return req, nil
}

// judge returns the error of an answer that refuses or failed; nil if it is one.
func (x *session) judge(resp *http.Response, body []byte) error {
	if mark := x.spec.Refused(body); mark != "" {
		return fmt.Errorf("%w: its page says %q", ErrRefused, mark)
	}
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return errMissing
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return fmt.Errorf("%w: status %d", ErrRefused, resp.StatusCode)
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: status %d", ErrIncomplete, resp.StatusCode)
	}
	return nil
}

// Refused returns the text by which a page is known as one that refuses machines; empty if it is an answer.
func (s *Spec) Refused(page []byte) string {
	head := bytes.ToLower(page[:min(len(page), 64<<10)])
	for _, mark := range s.Refusals {
		if bytes.Contains(head, []byte(strings.ToLower(mark))) {
			return mark
		}
	}
	return ""
}

// keep writes an answer to a file of its own, if the step keeps its answers.
func (x *session) keep(st *Step, body []byte) error {
	if !st.Keep {
		return nil
	}
	if x.beside != nil {
		var err error
		if body, err = x.beside(body); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("page-%05d", len(x.found.Documents)+1)
	path := filepath.Join(x.dir, name)
	if err := os.WriteFile(path, body, 0o600); err != nil {
		return fmt.Errorf("keep page: %w", err)
	}
	x.found.Documents = append(x.found.Documents, Document{Name: name, Path: path, At: x.at})
	return nil
}
