package delivery

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// Why an address is not asked to confirm once more. None says which other account asked.
var (
	errAskedLately = &models.Error{
		Code:    models.CodeConflict,
		Message: "this address got a confirmation mail within the last hour; check its spam folder, or try again later",
	}
	errAddressAsked = &models.Error{
		Code:    models.CodeConflict,
		Message: "this address got several confirmation mails today; check its spam folder, or try again tomorrow",
	}
	errAccountAsked = &models.Error{
		Code:    models.CodeConflict,
		Message: "the account sent too many confirmation mails today; try again tomorrow",
	}
)

// noteAsk notes a mail that asks the address of an endpoint to confirm, in the transaction that leads to it. Too many
// of them are CodeConflict: within askEvery one by the account to this address, in a day asksOfAddress to this
// address by anybody, and asksOfAccount by the account. Endpoints that were deleted count too: deleting and adding
// again must not send mail without end.
func noteAsk(ctx context.Context, tx *joint.Tx, h *models.Webhook, now time.Time) error {
	if _, err := tx.Pgx().Exec(ctx, db.LockConfirmations); err != nil {
		return err
	}
	if _, err := tx.Pgx().Exec(ctx, `delete from confirmation_mails where at <= $1`, now.Add(-24*time.Hour)); err != nil {
		return err
	}
	var again, address, account int
	args := pgx.NamedArgs{"account": h.AccountID, "url": h.URL, "lately": now.Add(-askEvery)}
	if err := tx.Pgx().QueryRow(ctx, statements.Get("count_asks"), args).Scan(&again, &address, &account); err != nil {
		return err
	}
	switch {
	case again > 0:
		return errAskedLately
	case address >= asksOfAddress:
		return errAddressAsked
	case account >= asksOfAccount:
		return errAccountAsked
	}
	_, err := tx.Pgx().Exec(ctx, `insert into confirmation_mails (account_id, url, at) values ($1, $2, $3)`, h.AccountID, h.URL, now)
	return err
}
