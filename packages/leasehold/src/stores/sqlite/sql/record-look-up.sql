-- What an answer leads to beside what is written of the whole record.

-- name: ask_before_sending
update records set send_before = :at where no = :no;
