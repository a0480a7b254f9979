package delivery

import (
	"net/mail"
	"slices"
	"strings"
	"time"

	"rollcall/models"
)

// Bounds of e-mail endpoints.
const (
	// maxEmails bounds the e-mail endpoints of an account.
	maxEmails = 50
	// askEvery is how often an account may ask one address to confirm at most.
	askEvery = time.Hour
	// asksOfAddress bounds the mails a day that ask one address to confirm, whoever asks; asksOfAccount those that one
	// account causes. Nobody can fill a mailbox through this service.
	asksOfAddress = 3
	asksOfAccount = 50
	// digestHour is when the digest of a day is sent, in Georgia.
	digestHour = 7
)

// Why an e-mail endpoint is disabled. Only a confirmation by the recipient makes it active.
const (
	Unconfirmed  = "the address is not confirmed yet: its owner follows the link in the mail that was sent to it"
	Unsubscribed = "the recipient unsubscribed"
)

// NewEmail is what CreateEmail takes.
type NewEmail struct {
	Address string
	Events  []models.EventKind
	// Digest is none if empty.
	Digest models.Digest
	// Notices are all of them if nil.
	Notices *[]models.Notice
	Paused  bool
}

// EmailChange holds what to change of an e-mail endpoint; nil leaves it. Another address is another endpoint, as
// its owner has to confirm.
type EmailChange struct {
	Events  *[]models.EventKind
	Notices *[]models.Notice
	Digest  *models.Digest
	Paused  *bool
}

// MailNotices are the notices that an e-mail endpoint gets unless its owner leaves some out: those that correct what
// was sent, and that a source became silent. Nobody who reads mails should take silence for good news.
func MailNotices() []models.Notice {
	return []models.Notice{models.NoticeRetraction, models.NoticeSourceStale, models.NoticeWithheld}
}

// endpoint returns the endpoint that n asks for, not yet confirmed.
func (n *NewEmail) endpoint(accountID string, now time.Time) (*models.Webhook, error) {
	address, err := parseEmail(n.Address)
	if err != nil {
		return nil, err
	}
	digest := models.DigestNone
	if n.Digest != "" {
		if digest, err = parseDigest(n.Digest); err != nil {
			return nil, err
		}
	}
	h := &models.Webhook{
		ID: models.NewID("wh"), AccountID: accountID, Way: models.ByEmail, Status: models.WebhookDisabled, DisabledReason: new(Unconfirmed),
		Digest: digest, CreatedAt: now,
	}
	notices, version := MailNotices(), 2 // which says why it matched
	if n.Notices != nil {
		notices = *n.Notices
	}
	return h, h.Apply(models.WebhookChange{URL: &address, Events: &n.Events, PayloadVersion: &version, Notices: &notices, Paused: &n.Paused})
}

// parseDigest reads a digest in any letter case.
func parseDigest(s models.Digest) (models.Digest, error) {
	d := models.Digest(strings.ToLower(string(s)))
	if !slices.Contains([]models.Digest{models.DigestNone, models.DigestHour, models.DigestDay}, d) {
		return "", models.InvalidBody("digest", "digest must be none, hour or day")
	}
	return d, nil
}

// parseEmail returns an address as it is stored: mailto: and a plain address of ASCII whose domain is in lower
// case. The error is a sentence for the user.
func parseEmail(text string) (url string, err error) {
	text = strings.TrimSpace(text)
	refused := models.InvalidBody("address", "address is an e-mail address like desk@example.org")
	parsed, parseErr := mail.ParseAddress(text)
	local, domain, _ := strings.Cut(text, "@")
	switch {
	case parseErr != nil, parsed.Address != text, len(text) > 254, len(local) > 64:
		return "", refused
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"\()<>,;:[]`, r) }):
		return "", refused
	case !strings.Contains(domain, "."):
		return "", refused
	}
	return models.Mailto + local + "@" + strings.ToLower(domain), nil
}

// Due returns when what happens at an instant is due under a digest. Without one that is at once.
func Due(d models.Digest, at time.Time) time.Time {
	switch d {
	case models.DigestHour:
		return at.UTC().Truncate(time.Hour).Add(time.Hour)
	case models.DigestDay:
		local := at.In(models.Georgia)
		next := time.Date(local.Year(), local.Month(), local.Day(), digestHour, 0, 0, 0, models.Georgia)
		if !next.After(at) {
			next = time.Date(local.Year(), local.Month(), local.Day()+1, digestHour, 0, 0, 0, models.Georgia)
		}
		return next.UTC()
	case models.DigestNone:
	}
	return at
}
