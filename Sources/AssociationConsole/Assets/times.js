// The local time beside each time in UTC; without it pages say the same.
for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.getTime()) || moment.getTimezoneOffset() === 0) continue;
  const pad = (number) => String(number).padStart(2, "0");
  const day = [moment.getFullYear(), pad(moment.getMonth() + 1), pad(moment.getDate())].join("-");
  const minute = `${pad(moment.getHours())}:${pad(moment.getMinutes())}`;
  const local = document.createElement("span");
  local.className = "local";
  local.textContent = time.dateTime.startsWith(day) ? `(${minute} here)` : `(${day} ${minute} here)`;
  time.after(" ", local);
}
