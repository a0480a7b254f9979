package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// ErrBeside is the error for a name or address that a row states and that is not asked for: it leads out of the drop, or to a
// host that the source document does not name.
var ErrBeside = errors.New("the row names a place that is not asked")

// Address returns the full address of what a row of an http source names, such as a photograph. An address without a host is
// one of the host of the first step. Another host than those of the steps and of transport.hosts is ErrBeside.
func (s *Spec) Address(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%w: it is not an address", ErrBeside)
	}
	if len(s.Steps) > 0 {
		base, err := url.Parse(fill(s.Steps[0].URL, s.values(time.Time{})))
		if err != nil {
			return "", fmt.Errorf("%w: it is not an address", ErrBeside)
		}
		u = base.ResolveReference(u)
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return "", fmt.Errorf("%w: it is not an address of the web", ErrBeside)
	}
	if !slices.Contains(s.allowed(), u.Host) {
		return "", fmt.Errorf("%w: its host is not one of the steps; transport.hosts allows it", ErrBeside)
	}
	u.Fragment = ""
	return u.String(), nil
}

// Seen is what an earlier answer said of its version, for a request on condition.
type Seen struct{ ETag, Modified string }

// Answer is the answer to one request for a file.
type Answer struct {
	Status int    // 200: Body is the file; 304: it is as it was
	Body   []byte // at most one byte more than was allowed
	Seen
}

// File asks for one file on the web, and reads at most most+1 bytes of it. Statuses other than 200 have no body.
func File(ctx context.Context, client Client, address string, seen Seen, most int64) (*Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, withoutAddress(err)
	}
	req.Header.Set("User-Agent", UserAgent)
	req.Header.Set("Accept", "image/*")
	if seen.ETag != "" {
		req.Header.Set("If-None-Match", seen.ETag)
	}
	if seen.Modified != "" {
		req.Header.Set("If-Modified-Since", seen.Modified)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, withoutAddress(err)
	}
	defer func() { _ = resp.Body.Close() }()
	a := &Answer{Status: resp.StatusCode, Seen: Seen{ETag: resp.Header.Get("ETag"), Modified: resp.Header.Get("Last-Modified")}}
	if resp.StatusCode != http.StatusOK {
		return a, nil
	}
	a.Body, err = io.ReadAll(io.LimitReader(resp.Body, most+1))
	return a, withoutAddress(err)
}

// Beside reads a file that a row names and that lies in the drop with the source's files, at most most+1 bytes of it. A name
// that is more than the name of a file is ErrBeside. In a folder, on this machine or a server, a name in other letter case is
// found too if exactly one file has it; a bucket has too many names to look through.
func (d *Drop) Beside(ctx context.Context, name string, most int64) ([]byte, error) {
	if path.Base(name) != name || strings.ContainsAny(name, `\:`) || strings.HasPrefix(name, ".") {
		return nil, fmt.Errorf("%w: it is not the name of a file", ErrBeside)
	}
	in, err := d.open(ctx, d.folder+name)
	if errors.Is(err, fs.ErrNotExist) {
		if other := d.alike(ctx, name); other != "" {
			in, err = d.open(ctx, other)
		}
	}
	if err != nil {
		return nil, withoutAddress(err)
	}
	defer func() { _ = in.Close() }()
	return io.ReadAll(io.LimitReader(in, most+1))
}

// alike returns the name of the one file whose name differs in letter case only, or an empty string. The drop is listed once.
func (d *Drop) alike(ctx context.Context, name string) string {
	if !d.named {
		return ""
	}
	if d.cases == nil {
		d.cases = map[string][]string{}
		err := d.list(ctx, func(o Object) error {
			fold := strings.ToLower(o.Name)
			d.cases[fold] = append(d.cases[fold], o.Name)
			return nil
		})
		if err != nil {
			d.cases = nil // the next name looks again
			return ""
		}
	}
	if list := d.cases[strings.ToLower(name)]; len(list) == 1 {
		return list[0]
	}
	return ""
}
