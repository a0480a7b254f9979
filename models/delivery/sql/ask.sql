-- Mails that ask an address to confirm (docs/decisions/0018-email-and-atom.md).

-- name: count_asks
-- Counts those of the last day: by this account to this address since @lately, to this address, and by this account.
select count(*) filter (where account_id = @account and url = @url and at > @lately),
  count(*) filter (where url = @url),
  count(*) filter (where account_id = @account)
from confirmation_mails
