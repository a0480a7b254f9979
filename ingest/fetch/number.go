package fetch

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Known returns the highest number among the keys that a source has used: the first group of a regular
// expression, of the keys that fit it. 0 if none does.
type Known func(ctx context.Context, pattern string) (int, error)

// Caller is what a fetch asks of its caller, who knows more than transports.
type Caller struct {
	// Known is where paging by number begins; nil to begin where the source document says.
	Known Known
	// Judge returns an error for a page without rows that reports a failure; nil if no page does.
	Judge func(page []byte) error
}

// numbers asks for one number after the other until Stop of them in a row are missing.
func (x *session) numbers(ctx context.Context, st *Step) error {
	p := st.Paging
	n, err := x.start(ctx, p)
	if err != nil {
		return err
	}
	miss := regexp.MustCompile(p.Miss)
	for misses := 0; misses < p.Stop; n++ {
		x.values["number"] = fmt.Sprintf("%0*d", p.Width, n)
		body, err := x.ask(ctx, st, "")
		if errors.Is(err, errMissing) || err == nil && p.Miss != "" && miss.Match(body) {
			misses++
			continue
		}
		if err != nil {
			return err
		}
		misses = 0
		if err := x.keep(st, body); err != nil {
			return err
		}
	}
	return nil
}

// start is the first number to ask for: that of the source document, or a little before the highest known
// one, so that late entries are found.
func (x *session) start(ctx context.Context, p *Paging) (int, error) {
	if p.Known == "" || x.caller.Known == nil {
		return p.First, nil
	}
	before, after, _ := strings.Cut(p.Known, "{number}")
	highest, err := x.caller.Known(ctx, "^"+regexp.QuoteMeta(fill(before, x.values))+"([0-9]{1,12})"+regexp.QuoteMeta(fill(after, x.values))+"$")
	if err != nil {
		return 0, err
	}
	back := p.Back
	if back == 0 {
		back = p.Stop
	}
	return max(p.First, highest-back+1), nil
}
