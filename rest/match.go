package rest

import (
	"errors"
	"net/http"
	"regexp"
	"strings"

	"rollcall/internal/coding"
	"rollcall/models"
)

// errNotMatched is for a change of a state that is not the present one (RFC 9110, 13.1.1).
var errNotMatched = &models.Error{
	Code: models.CodePreconditionFailed, Message: "it was changed since the ETag of If-Match; look at how it is now, and change that",
}

// errNoTag is for an If-Match that can match nothing: no entry of it is a strong tag.
var errNoTag = &models.Error{
	Code:    models.CodePreconditionFailed,
	Message: "If-Match has no strong entity tag, so nothing can match it: send the ETag of GET as it came, in its quotation marks and without W/",
}

// strong is an entity tag that can match (RFC 9110, 8.8.3). A weak one has W/ before it.
var strong = regexp.MustCompile(`^"[\x21\x23-\x7e\x80-\xff]*"$`)

// seen returns the version that a change is of: nil without If-Match, whatever the state is then. It is errNotMatched unless
// If-Match names the state that write writes, as GET tags it in any coding, and errNoTag if it names no state at all. The
// mutation compares the version under its lock, so no change of anything that write writes is lost in between.
func seen(r *http.Request, write func(e *encoder), version func() string) (*string, error) {
	given := r.Header.Values("If-Match")
	if len(given) == 0 {
		return nil, nil //nolint:nilnil // no condition is no error
	}
	var e encoder
	write(&e)
	tag := strings.TrimSuffix(etag(append(e.b, '\n'), coding.Identity), `"`)
	refusal := errNoTag
	for entry := range strings.SplitSeq(strings.Join(given, ","), ",") {
		entry = strings.TrimSpace(entry)
		after, same := strings.CutPrefix(entry, tag)
		if entry == "*" || same && (after == `"` || strings.HasPrefix(after, "-")) { // a weak one never matches
			return new(version()), nil
		}
		if strong.MatchString(entry) {
			refusal = errNotMatched
		}
	}
	return nil, refusal
}

// matched turns a version that is not the present one any more into the answer of If-Match. Nothing else asks for versions
// on /v1.
func matched(err error) error {
	if errors.Is(err, models.ErrChanged) {
		return errNotMatched
	}
	return err
}
