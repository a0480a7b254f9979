package mail_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"rollcall/internal/mailbox"
	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/notifier"
)

func TestADigestIsOneMailAtTheHourWithoutWhatIsWithheldByThen(t *testing.T) {
	t.Parallel()
	o, box := newOffice(t), open(t, mailbox.Options{})
	h := o.email("ann@example.org", models.DigestHour)
	for i := range 5 {
		o.happen(i, "fulton-2026-000001")
	}
	o.happen(6, "fulton-2026-000002")
	// Two processes: neither sends a part.
	o.run(notifier.SenderOptions{Mail: o.mailer(box)})
	o.run(notifier.SenderOptions{Mail: o.mailer(box)})
	o.add(39 * time.Minute)
	o.await(map[string]int{"pending": 6})
	_, err := o.store.Restrict(t.Context(), "fulton-2026-000002", "ann", "an order of the court")
	require.NoError(t, err)
	require.Empty(t, box.Mails(), "a digest by the hour waits for it")
	o.add(2 * time.Minute)
	o.await(map[string]int{"delivered": 5, "dropped sealed": 1})
	mails := box.Mails()
	require.Len(t, mails, 1)
	require.Equal(t, "rollcall: 5 events of your alerts", mails[0].Subject())
	require.NotContains(t, mails[0].Raw, "WREN B", "hiding reaches a digest that waits")
	require.Equal(t, 5, strings.Count(mails[0].Text, "Born: Feb 3, 1981"), "each event says who it is")
	require.Contains(t, mails[0].Text, "Bond: $4, before: $3.99")
	page, err := o.store.Deliveries(t.Context(), o.account, models.DeliveryFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	for _, d := range page.Deliveries {
		if d.State != models.DeliveryDelivered {
			continue
		}
		all, err := o.store.AttemptsOf(t.Context(), []string{d.ID})
		require.NoError(t, err)
		require.Len(t, all[d.ID], 1)
		require.Contains(t, *all[d.ID][0].Answer, "one mail of 5 events", "each delivery's log says so")
	}
	o.happen(7, "fulton-2026-000001")
	_, err = o.store.UpdateEmail(t.Context(), o.account, h.ID, delivery.EmailChange{Digest: new(models.DigestNone)})
	require.NoError(t, err)
	o.await(map[string]int{"delivered": 7, "dropped sealed": 1})
	mails = box.Mails()
	require.Len(t, mails, 3, "without a digest nothing waits, and each event is a mail")
	subjects := []string{mails[0].Subject(), mails[1].Subject()}
	require.NotContains(t, strings.Join(subjects, " "), "1981")
	require.Contains(t, subjects, "Record no longer shown", "who may have heard of it is notified, without a name")
	require.NotContains(t, mails[0].Raw+mails[1].Raw, "WREN B")
}

func TestADigestThatFailsStaysOneMail(t *testing.T) {
	t.Parallel()
	var tries atomic.Int64
	box := open(t, mailbox.Options{Data: func(*mailbox.Mail) error {
		if tries.Add(1) == 1 {
			return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "try again later"}
		}
		return nil
	}})
	o := newOffice(t)
	o.email("ann@example.org", models.DigestDay)
	for i := range 3 {
		o.happen(i, "fulton-2026-000001")
	}
	o.run(notifier.SenderOptions{Mail: o.mailer(box)})
	o.add(24 * time.Hour)
	o.await(map[string]int{"failed": 3})
	o.add(time.Minute)
	o.await(map[string]int{"delivered": 3})
	require.Len(t, box.Mails(), 1)
	require.EqualValues(t, 2, tries.Load())
}

// TestAMailOnTheWireIsInNoDigest has the owner of an address choose a digest while a mail is being taken.
func TestAMailOnTheWireIsInNoDigest(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan struct{}), make(chan struct{})
	var first atomic.Bool
	o, box := newOffice(t), open(t, mailbox.Options{Data: func(*mailbox.Mail) error {
		if first.CompareAndSwap(false, true) {
			close(begun)
			<-goOn
		}
		return nil
	}})
	h := o.email("ann@example.org", models.DigestNone)
	o.add(39*time.Minute + 30*time.Second) // so that the hour is full while the mail has its lease
	o.happen(1, "fulton-2026-000001")
	o.run(notifier.SenderOptions{Mail: o.mailer(box)})
	<-begun
	hourly := models.DigestHour
	_, err := o.store.UpdateEmail(t.Context(), o.account, h.ID, delivery.EmailChange{Digest: &hourly})
	require.NoError(t, err)
	o.happen(2, "fulton-2026-000001")
	o.add(40 * time.Second)
	o.run(notifier.SenderOptions{Mail: o.mailer(box)})
	require.Eventually(t, func() bool { return len(box.Mails()) == 1 }, time.Minute, 10*time.Millisecond, "the digest has the other event")
	require.Contains(t, box.Mails()[0].Text, "Bond: $2,")
	require.NotContains(t, box.Mails()[0].Text, "Bond: $1,")
	close(goOn)
	o.await(map[string]int{"delivered": 2})
	require.Len(t, box.Mails(), 2)
}
